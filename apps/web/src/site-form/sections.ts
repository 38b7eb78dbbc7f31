import type { EndpointForm, FieldName } from '../blocks/form/endpoint-form.ts';
import type { RowCheck } from './module-checks.ts';
import type { SiteValues } from './site-values.ts';

export const sections = ['plant', 'place', 'arrays', 'prices', 'modules', 'contacts'] as const;
export type SectionName = (typeof sections)[number];

export type SiteForm = EndpointForm<SiteValues, 'site-form'>;

type Field = FieldName<SiteValues>;

const contactFields = ['name', 'email', 'phone'] as const;
const arrayFields = ['name', 'azimuthDeg', 'inclinationDeg', 'kwp', 'modules', 'moduleType'] as const;

const marketFields: Field[] = ['purchaseMarket.zone', 'purchaseMarket.markup', 'purchaseMarket.vat'];

const rowFields = (list: 'arrays' | 'modules', count: number, names: readonly string[]): Field[] =>
  Array.from({ length: count }, (_, at) => names.map((name): Field => `${list}.${at}.${name}`)).flat();

function periodFields(of: 'purchase' | 'feedIn', values: SiteValues): Field[] {
  const kind = values[`${of}Kind`];
  if (kind === 'market') return marketFields;
  if (kind === 'one') return [];
  const { weekday, weekend } = values[`${of}Periods`];
  return [
    ...weekday.map((_, at): Field => `${of}Periods.weekday.${at}.price`),
    ...(weekend ?? []).map((_, at): Field => `${of}Periods.weekend.${at}.price`),
  ];
}

/** Every field of a section. */
function fieldsIn(section: SectionName, values: SiteValues): readonly Field[] {
  switch (section) {
    case 'plant':
      return ['name', 'type', 'organisationID', 'commissionedOn', 'gridConnectedOn', 'ratedPowerW', 'systemCapacity'];
    case 'place':
      return [
        'country',
        'city',
        'address',
        'postcode',
        'position.latitude',
        'position.longitude',
        'position',
        'ianaTimezone',
        'summerTime',
      ];
    case 'arrays':
      return ['arrays', ...rowFields('arrays', values.arrays.length, arrayFields)];
    case 'prices':
      return [
        'price',
        'purchasePrice',
        ...(['purchase', 'feedIn'] as const).flatMap((of) => periodFields(of, values)),
        'currency',
        'priceValidFrom',
      ];
    case 'modules':
      return ['modules', 'entry.sn', ...rowFields('modules', values.modules.length, ['sn', 'key'])];
    case 'contacts':
      return [
        'owner',
        ...contactFields.map((name): Field => `installerContact.${name}`),
        ...contactFields.map((name): Field => `userContact.${name}`),
      ];
  }
}

const isFilled = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== '' && value !== null && value !== undefined;

/** How a section stands. `optional` may be left as empty as it is. */
export type SectionState = 'wrong' | 'waiting' | 'done' | 'open' | 'optional';

export interface SectionReport {
  readonly state: SectionState;
  /** Fields and rows that were refused. */
  readonly wrong: number;
}

/** Rows that the check refused, but for those where the refusal of a field says so. */
const wrongRows = (form: SiteForm, checks: readonly RowCheck[]): number =>
  checks.filter(
    ({ state }, at) =>
      state === 'wrong' &&
      form.errorOf(`modules.${at}.sn`) === undefined &&
      form.errorOf(`modules.${at}.key`) === undefined,
  ).length;

function wrongIn(section: SectionName, form: SiteForm, checks: readonly RowCheck[]): number {
  const rows = section === 'modules' ? wrongRows(form, checks) : 0;
  // That rows are wrong is said of each of them.
  const hasRows = form.values.modules.length > 0;
  const counted = fieldsIn(section, form.values).filter((name) => name !== 'modules' || !hasRows);
  return rows + counted.filter((name) => form.errorOf(name) !== undefined).length;
}

/** How a section stands, and what in it is wrong. */
export function reportOf(section: SectionName, form: SiteForm, checks: readonly RowCheck[]): SectionReport {
  const wrong = wrongIn(section, form, checks);
  if (wrong > 0) return { state: 'wrong', wrong };
  if (section === 'modules' && checks.some(({ state }) => state === 'waiting')) return { state: 'waiting', wrong };
  const missing = fieldsIn(section, form.values).some(
    (name) => isAsked(name, form.values) && form.isRequired(name) && !isFilled(form.valueOf(name)),
  );
  if (missing) return { state: 'open', wrong };
  return { state: isTouched(section, form.values) ? 'done' : 'optional', wrong };
}

/** What a schema needs and the form makes itself, or what not every route knows. */
const madeByForm: ReadonlySet<Field> = new Set([
  'systemCapacity',
  'entry.sn',
  'arrays',
  'priceValidFrom',
  'owner',
  'organisationID',
]);

const isAsked = (name: Field, { position }: SiteValues): boolean => {
  if (madeByForm.has(name)) return false;
  return name.startsWith('position.') ? isFilled(position.latitude) !== isFilled(position.longitude) : true;
};

const isTouched = (section: SectionName, values: SiteValues): boolean => {
  switch (section) {
    case 'arrays':
      return values.arrays.length > 0;
    case 'prices':
      return (
        [values.price, values.purchasePrice].some(isFilled) ||
        values.purchaseKind !== 'one' ||
        values.feedInKind === 'byTime'
      );
    case 'modules':
      return values.modules.length > 0;
    case 'contacts':
      return [values.owner, ...Object.values(values.installerContact), ...Object.values(values.userContact)].some(
        (text) => text !== '',
      );
    default:
      return true;
  }
};
