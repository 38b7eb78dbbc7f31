-- Which key an entry is sealed with, by the first half of its fingerprint; '' for the entries from before there was one, whose
-- hash anybody can compute. They stay as they are: the first sealed entry covers the hash of the last of them.
ALTER TABLE audit_log ADD COLUMN seal text NOT NULL DEFAULT '';
