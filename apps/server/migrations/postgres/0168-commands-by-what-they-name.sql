-- Each reference can be looked up, so that a row that goes reads no whole table.
CREATE INDEX commands_of_attached ON commands (device_id) WHERE device_id IS NOT NULL;
CREATE INDEX commands_of_logger ON commands (logger_id);
CREATE INDEX device_settings_of_account ON device_settings (desired_by) WHERE desired_by IS NOT NULL;
CREATE INDEX setting_changes_of_account ON setting_changes (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX setting_changes_of_command ON setting_changes (command_id) WHERE command_id IS NOT NULL;
CREATE INDEX dispatches_of_device ON dispatches (device_id);
CREATE INDEX dispatches_of_command ON dispatches (command_id) WHERE command_id IS NOT NULL;
CREATE INDEX grid_controls_of_account ON grid_controls (set_by) WHERE set_by IS NOT NULL;
