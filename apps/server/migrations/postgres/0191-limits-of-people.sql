-- What somebody meant a setting to be before the portal began to control it: it is the bound of that control, and comes back at its end.
ALTER TABLE device_settings ADD COLUMN own_limit jsonb;
-- Inverters that the portal has limited: looked through for those of plants where nobody holds a limit any more.
CREATE INDEX device_settings_controlled ON device_settings (subject_id) WHERE desired_source = 'ems';
