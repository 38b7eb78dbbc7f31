-- Which of the energies before recording the balance told (packages/energy/src/accounting/site-marks.ts). null = not known, until they are
-- written anew.
ALTER TABLE site_openings ADD COLUMN marks integer;

-- What was paid on the days before is known once their money is made anew.
INSERT INTO recalculations (depth) SELECT 'calendar' WHERE EXISTS (SELECT FROM sites);
