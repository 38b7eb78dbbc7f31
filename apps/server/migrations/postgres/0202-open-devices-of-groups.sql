-- To which devices of a write something is said just now, so that it is looked at each minute without reading the others.
CREATE INDEX setting_group_devices_open ON setting_group_devices (group_id) INCLUDE (command_id) WHERE state = 'open';
