-- Of a change that a device made by itself: how many it stands for, where it changed the setting many times within a day.
ALTER TABLE setting_changes ADD COLUMN times int NOT NULL DEFAULT 1;
-- What nobody ordered: looked through setting by setting, the newest first, and by age.
CREATE INDEX setting_changes_by_themselves ON setting_changes (subject_id, name, source, at DESC, id DESC)
  WHERE account_id IS NULL AND source IN ('device', 'plan');
CREATE INDEX setting_changes_by_age ON setting_changes (at, id) WHERE account_id IS NULL AND source IN ('device', 'plan');
CREATE INDEX commands_of_plans ON commands (created_at) WHERE source = 'plan' AND ordered_by IS NULL;
