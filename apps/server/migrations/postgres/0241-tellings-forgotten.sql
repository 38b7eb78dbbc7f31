-- What was told is looked through by its time, when it is to be forgotten.
CREATE INDEX alarm_tellings_done ON alarm_tellings (due_at) WHERE state <> 'waiting';
