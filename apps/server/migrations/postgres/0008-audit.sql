-- Digest of what was shown to move, and where to: a change of either refuses the transfer.
ALTER TABLE migration_codes ADD COLUMN seen text NOT NULL DEFAULT '';
