import * as z from 'zod/mini';
import { choice, choosing } from '../choices.ts';
import { endpoint } from '../endpoint.ts';
import { lines, text } from '../fields.ts';
import type { Level } from '../levels.ts';

const editors = [1, 2, 3, 4, 255] as const satisfies readonly Level[];
const operators = [2, 3, 4, 255] as const satisfies readonly Level[];
const admin = [255] as const satisfies readonly Level[];

export const MOST_IMPORTED = 10_000;
export const MOST_IMPORT_CHARACTERS = 900_000;
/** Of the rows of a file that cannot be imported so many are told one by one. */
export const MOST_TOLD_PROBLEMS = 200;
/** So long the password before a new one stays good. */
export const FORMER_PASSWORD_HOURS = 24;

const changed = ['dataloggers', 'sites', 'devices', 'fleet', 'search', 'site-form'] as const;

/** A row of a file that cannot be imported: where it begins, what stands for its serial number, and the number of the text that says why. */
const problem = z.object({ line: z.int(), sn: z.string(), errno: z.int() });
export type ImportProblem = z.infer<typeof problem>;

/** CSV with a header that names `sn`, and may name `key`, `type` and `model`; without one a column of serial numbers and one of keys. */
const file = lines(MOST_IMPORT_CHARACTERS);

export const importCheck = endpoint({
  method: 'POST',
  path: '/c/v0/module/import/check',
  feature: 'dataloggers',
  summary:
    'What importing the serial numbers of a CSV file would do, and which of its rows cannot be imported. A wrong key counts.',
  callers: operators,
  reads: true,
  code: 'datalogger:import',
  input: z.object({ file }),
  result: z.object({
    rows: z.int(),
    good: z.int(),
    /** Rows that cannot be imported; `problems` has the first of them. */
    bad: z.int(),
    problems: z.array(problem),
    /** The first rows that can. */
    sample: z.array(
      z.object({ line: z.int(), sn: z.string(), type: z.string(), model: z.string(), hasKey: z.boolean() }),
    ),
  }),
});
export type ImportPreview = z.infer<(typeof importCheck)['result']>;

/** Shown once: the portal keeps hashes alone. The key is empty where it is the one that the manufacturer has printed. */
const credential = z.object({ sn: z.string(), key: z.string(), password: z.string() });
export type DataloggerCredential = z.infer<typeof credential>;

export const importFile = endpoint({
  method: 'POST',
  path: '/c/v0/module/import',
  feature: 'dataloggers',
  summary:
    'Import the serial numbers of a CSV file, with a password and a key for each; all of them, or, with `onlyGood`, those that can be.',
  callers: operators,
  code: 'datalogger:import',
  changes: ['dataloggers', 'search'],
  large: true,
  input: z.object({
    file,
    onlyGood: z._default(z.boolean(), false),
    /** Of an administrator only: whose they are. */
    organisationID: z.optional(z.uuid()),
  }),
  result: z.object({ imported: z.int(), skipped: z.int(), credentials: z.array(credential) }),
});
export type Imported = z.infer<(typeof importFile)['result']>;

export const plants = endpoint({
  method: 'POST',
  path: '/c/v0/module/plants',
  feature: 'dataloggers',
  summary: 'Up to 20 plants to which the caller can link dataloggers, those of one organisation where that is named.',
  callers: editors,
  code: 'site:edit',
  reads: true,
  input: z.object({ ...choosing, organisationID: z.optional(z.uuid()) }),
  result: z.object({ choices: z.array(choice) }),
});

export const bind = endpoint({
  method: 'POST',
  path: '/c/v0/module/bind',
  feature: 'dataloggers',
  summary:
    'Link a datalogger to a plant, by its serial number and the key printed on it, or without where the own organisation imported it.',
  callers: editors,
  code: 'site:edit',
  changes: changed,
  input: z.object({ stationID: z.uuid(), sn: text(64, 1), key: z._default(text(64), '') }),
  result: z.object({ moduleID: z.string(), moduleSN: z.string(), plantName: z.string(), devices: z.int() }),
  names: { stationID: 'site' },
});

const ofOne = z.object({ moduleID: z.uuid() });

export const unbind = endpoint({
  method: 'POST',
  path: '/c/v0/module/unbind',
  feature: 'dataloggers',
  summary:
    'Take a datalogger off its plant. Its devices and what they recorded stay there until it is linked to another.',
  callers: operators,
  code: 'datalogger:unbind',
  changes: changed,
  input: ofOne,
  result: z.object({}),
  names: { moduleID: 'dataloggerID' },
});

const deleted = z.object({ undoUntilMs: z.int() });

export const remove = endpoint({
  method: 'POST',
  path: '/c/v0/module/delete',
  feature: 'dataloggers',
  summary:
    'Delete a datalogger: it is shut out at once, and can be given back for 30 days. What its devices recorded stays at their plant.',
  callers: admin,
  code: 'datalogger:delete',
  changes: [...changed, 'deletions'],
  input: ofOne,
  result: deleted,
  names: { moduleID: 'dataloggerID' },
});

export const refuse = endpoint({
  method: 'POST',
  path: '/c/v0/module/refuse',
  feature: 'dataloggers',
  summary: 'Shut out a datalogger that waits in quarantine; can be undone for 30 days.',
  callers: admin,
  code: 'device:viewUncreated',
  changes: [...changed, 'deletions'],
  input: ofOne,
  result: deleted,
  names: { moduleID: 'dataloggerID' },
});

export const adopt = endpoint({
  method: 'POST',
  path: '/c/v0/module/adopt',
  feature: 'dataloggers',
  summary:
    'Let a datalogger out of quarantine to an organisation or one of its plants, with what it recorded. A new password is shown once; the provisioning key stays good for 24 h beside it.',
  callers: admin,
  code: 'device:viewUncreated',
  changes: changed,
  input: z.object({
    moduleID: z.uuid(),
    organisationID: z.uuid(),
    /** A plant of that organisation. */
    stationID: z.optional(z.uuid()),
    newPassword: z._default(z.boolean(), true),
  }),
  result: z.object({ sn: z.string(), password: z.nullable(z.string()), formerUntilMs: z.nullable(z.int()) }),
  names: { moduleID: 'dataloggerID', organisationID: 'organisation' },
});
export type Adopted = z.infer<(typeof adopt)['result']>;

export const renewPassword = endpoint({
  method: 'POST',
  path: '/c/v0/module/renewPassword',
  feature: 'dataloggers',
  summary: 'A new password for a datalogger, shown once; those before stay good for 24 h.',
  callers: operators,
  code: 'datalogger:import',
  changes: ['dataloggers'],
  input: ofOne,
  result: z.object({ sn: z.string(), password: z.string(), formerUntilMs: z.nullable(z.int()) }),
  names: { moduleID: 'dataloggerID' },
});

const ordered = z.object({ commandID: z.string() });

export const restart = endpoint({
  method: 'POST',
  path: '/c/v0/module/restart',
  feature: 'dataloggers',
  summary: 'Tell a datalogger to restart. The command is confirmed once it has connected again.',
  callers: operators,
  code: 'datalogger:import',
  changes: ['dataloggers', 'commands'],
  input: ofOne,
  result: ordered,
  names: { moduleID: 'dataloggerID' },
});

export const rotatePassword = endpoint({
  method: 'POST',
  path: '/c/v0/module/rotatePassword',
  feature: 'dataloggers',
  summary:
    'Tell a datalogger a new password over its connection, which must be TLS. Both are good for 24 h; the command is confirmed once it has connected with the new one, and without that the former one stays.',
  callers: operators,
  code: 'datalogger:import',
  changes: ['dataloggers', 'commands'],
  input: ofOne,
  result: ordered,
  names: { moduleID: 'dataloggerID' },
});

export const managingEndpoints = {
  importCheck,
  importFile,
  plants,
  bind,
  unbind,
  remove,
  refuse,
  adopt,
  renewPassword,
  restart,
  rotatePassword,
} as const;
