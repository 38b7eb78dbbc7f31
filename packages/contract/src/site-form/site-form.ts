import * as z from 'zod/mini';
import { email } from '../accounts/own-account.ts';
import { endpoint } from '../endpoint.ts';
import { country, line, phone, plantDay, text } from '../fields.ts';
import type { Level } from '../levels.ts';
import { limits } from '../limits.ts';
import { keptPurchaseMarket, purchaseMarket } from '../market-prices/market-prices.ts';
import { dayPrices, keptDayPrices, price } from '../sites/day-prices.ts';
import { siteType } from '../sites/site.ts';
import { claimedModules, moduleCheck } from './claimed-modules.ts';

const adders = [2, 3, 4] as const satisfies readonly Level[];
const linkers = [1, 255] as const satisfies readonly Level[];
const editors = [1, 2, 3, 4, 255] as const satisfies readonly Level[];

const contact = z.object({
  name: z._default(line(32), ''),
  email: z._default(z.union([z.literal(''), email]), ''),
  phone: z._default(phone, ''),
});

export const MOST_ARRAYS = 32;

/** Modules that face the same way. Azimuth from north, clockwise; inclination from the horizontal. */
export const plantArray = z.object({
  name: z._default(line(limits.shortName.max), ''),
  azimuthDeg: z.int().check(z.gte(limits.azimuthDeg.min), z.lte(limits.azimuthDeg.max)),
  inclinationDeg: z.int().check(z.gte(limits.inclinationDeg.min), z.lte(limits.inclinationDeg.max)),
  kwp: z.number().check(z.gt(0), z.lte(1_000_000)),
  /** How many of them. */
  modules: z._default(z.nullable(z.int().check(z.gte(1), z.lte(1_000_000))), null),
  moduleType: z._default(line(32), ''),
});
export type PlantArray = z.output<typeof plantArray>;

/** What people say of a plant, entity Site of the specification, section 3. */
export const siteFormFields = {
  name: line(limits.siteName.max, limits.siteName.min),
  type: siteType,
  country,
  city: line(32, 1),
  address: z._default(line(128), ''),
  postcode: z._default(line(16), ''),
  position: z._default(
    z.nullable(
      z.object({
        latitude: z.number().check(z.gte(-90), z.lte(90)),
        longitude: z.number().check(z.gte(-180), z.lte(180)),
      }),
    ),
    null,
  ),
  /** Of the place. */
  ianaTimezone: text(64, 1),
  /** Whether the plant's clock follows the summer time of its zone. */
  summerTime: z._default(z.boolean(), true),
  /** Feed-in tariff. */
  price: z._default(z.nullable(price), null),
  purchasePrice: z._default(z.nullable(price), null),
  /** Prices by the time of day, in place of `price` and `purchasePrice`, which are then null. */
  feedInPeriods: z._default(z.nullable(dayPrices), null),
  purchasePeriods: z._default(z.nullable(dayPrices), null),
  /** A market that the price of purchase follows, in place of `purchasePrice` and `purchasePeriods`, which are then null. */
  purchaseMarket: z._default(z.nullable(purchaseMarket), null),
  currency: text(3).check(z.regex(/^[A-Z]{3}$/)),
  /** kWp; where there are arrays, their sum is kept instead. */
  systemCapacity: z.number().check(z.gte(0), z.lte(1_000_000)),
  ratedPowerW: z._default(z.nullable(z.number().check(z.gte(0), z.lte(1e9))), null),
  commissionedOn: z._default(z.nullable(plantDay()), null),
  gridConnectedOn: z._default(z.nullable(plantDay()), null),
  installerContact: z._default(contact, { name: '', email: '', phone: '' }),
  userContact: z._default(contact, { name: '', email: '', phone: '' }),
  arrays: z._default(z.array(plantArray).check(z.maxLength(MOST_ARRAYS)), []),
} as const;

const enteredContact = z.object({ name: z.string(), email: z.string(), phone: z.string() });

/** The same as it is kept: what was entered by other rules is shown, and judged when it is saved. */
export const enteredSite = z.object({
  name: z.string(),
  type: siteType,
  country: z.string(),
  city: z.string(),
  address: z.string(),
  postcode: z.string(),
  position: z.nullable(z.object({ latitude: z.number(), longitude: z.number() })),
  ianaTimezone: z.string(),
  summerTime: z.boolean(),
  price: z.nullable(z.string()),
  purchasePrice: z.nullable(z.string()),
  feedInPeriods: z.nullable(keptDayPrices),
  purchasePeriods: z.nullable(keptDayPrices),
  purchaseMarket: z.nullable(keptPurchaseMarket),
  currency: z.string(),
  systemCapacity: z.number(),
  ratedPowerW: z.nullable(z.number()),
  commissionedOn: z.nullable(z.string()),
  gridConnectedOn: z.nullable(z.string()),
  installerContact: enteredContact,
  userContact: enteredContact,
  arrays: z.array(
    z.object({
      name: z.string(),
      azimuthDeg: z.number(),
      inclinationDeg: z.number(),
      kwp: z.number(),
      modules: z.nullable(z.number()),
      moduleType: z.string(),
    }),
  ),
} as const satisfies Record<keyof typeof siteFormFields, z.ZodMiniType>);
export type EnteredSite = z.infer<typeof enteredSite>;

/** Prices that a plant has had, has or will have. */
const tariff = z.object({
  /** null = from the beginning. */
  fromMs: z.nullable(z.int()),
  /** Day of the plant. */
  validFrom: z.nullable(z.string()),
  /** Whether they are of the past, of now, or yet to come. */
  when: z.enum(['past', 'now', 'future']),
  ...z.pick(enteredSite, {
    price: true,
    purchasePrice: true,
    feedInPeriods: true,
    purchasePeriods: true,
    purchaseMarket: true,
    currency: true,
  }).shape,
});

/** User name or e-mail address of an end user of the own tree; empty: the plant has no owner yet. */
const owner = z._default(line(254), '');

/**
 * What was made, with the dataloggers that were linked. A datalogger that may not be claimed refuses the whole with 40257, at the fields
 * `modules.<index>.sn`, with one of `claimRefusals` as the reason.
 */
const made = z.object({
  stationID: z.string(),
  modules: z.array(z.object({ sn: z.string(), linked: z.literal(true) })),
});

export const add = endpoint({
  method: 'POST',
  path: '/c/v0/plant/add',
  feature: 'site-form',
  summary: 'Add a plant with its dataloggers, as a whole or not at all.',
  callers: adders,
  code: 'site:edit',
  changes: ['site-form', 'sites', 'devices', 'dataloggers', 'fleet'],
  input: z.object({ ...siteFormFields, owner, modules: claimedModules.check(z.minLength(1)) }),
  result: made,
});

export const linkSn = endpoint({
  method: 'POST',
  path: '/c/v0/plant/linkSn',
  feature: 'site-form',
  summary:
    'Make a plant of dataloggers by their serial numbers and keys: an end user its own, an administrator one of an organisation.',
  callers: linkers,
  code: 'site:edit',
  changes: ['site-form', 'sites', 'devices', 'dataloggers', 'fleet'],
  input: z.object({
    ...siteFormFields,
    modules: claimedModules.check(z.minLength(1)),
    /** Of an administrator only: whose plant it is; the owner's organisation, or else the platform's, where it is left out. */
    organisationID: z.optional(z.uuid()),
    /** Of an administrator only. */
    owner,
  }),
  result: made,
});

export const form = endpoint({
  method: 'GET',
  path: '/c/v0/plant/form',
  feature: 'site-form',
  summary: 'What the form of a plant begins with.',
  callers: editors,
  code: 'site:edit',
  input: z.object({ stationID: z.uuid() }),
  result: z.extend(enteredSite, {
    stationID: z.string(),
    /** Of what was read; an edit that names an older one is refused with 42209. */
    version: z.string(),
    /** User name; empty where nobody owns it. */
    owner: z.string(),
    organisation: z.string(),
    modules: z.array(
      z.object({
        sn: z.string(),
        type: z.string(),
        state: z.enum(['normal', 'offline']),
        /** How many hang behind it. */
        devices: z.int(),
      }),
    ),
    /** Day of the plant from which its prices of now are valid; null = from the beginning. */
    pricesSince: z.nullable(z.string()),
    /** All of its prices, the oldest first. */
    tariffs: z.array(tariff),
  }),
  names: { stationID: 'site' },
});

export const edit = endpoint({
  method: 'POST',
  path: '/c/v0/plant/edit',
  feature: 'site-form',
  summary: 'Change a plant, and link further dataloggers to it, as a whole or not at all.',
  callers: editors,
  code: 'site:edit',
  changes: ['site-form', 'sites', 'devices', 'dataloggers', 'fleet'],
  input: z.object({
    ...siteFormFields,
    stationID: z.uuid(),
    /** As it was read. */
    version: text(64, 1),
    /** From when on prices that are others than before are valid, until the next that it has; a day is one of the plant. */
    priceValidFrom: z._default(z.union([z.enum(['now', 'beginning']), plantDay()]), 'now'),
    /** To be linked in addition. */
    modules: z._default(claimedModules, []),
  }),
  result: made,
  names: { stationID: 'site' },
});

export const checkModules = endpoint({
  method: 'POST',
  path: '/c/v0/module/check',
  feature: 'site-form',
  summary:
    'Whether dataloggers could be linked, and what hangs behind them for who may claim them. A wrong key counts.',
  callers: editors,
  reads: true,
  code: 'site:edit',
  input: z.object({ modules: claimedModules.check(z.minLength(1)) }),
  result: z.object({ modules: z.array(moduleCheck) }),
});

export const dropTariff = endpoint({
  method: 'POST',
  path: '/c/v0/plant/tariff/delete',
  feature: 'site-form',
  summary: 'Take back prices of a plant: those before them are valid instead.',
  callers: editors,
  code: 'site:edit',
  changes: ['site-form', 'sites'],
  input: z.object({
    stationID: z.uuid(),
    /** As `tariffs` of the form tell it. */
    fromMs: z.int().check(z.gte(0), z.lte(8_640_000_000_000_000)),
  }),
  result: z.object({}),
  names: { stationID: 'site' },
});

export const siteFormEndpoints = { add, linkSn, form, edit, checkModules, dropTariff } as const;
