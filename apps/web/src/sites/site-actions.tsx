import { counters } from '@sonnenwarte/contract/data-repair/corrections';
import { make } from '@sonnenwarte/contract/handover/handover';
import { movePlants } from '@sonnenwarte/contract/migrations-of-accounts/plants';
import { remove } from '@sonnenwarte/contract/site-deletions/site-deletions';
import { add, edit, linkSn } from '@sonnenwarte/contract/site-form/site-form';
import { add as share } from '@sonnenwarte/contract/site-shares/site-shares';
import type { SiteRow } from '@sonnenwarte/contract/sites/site';
import {
  IconArrowsMove,
  IconChartLine,
  IconPencil,
  IconPlus,
  IconQrcode,
  IconTrash,
  IconUserPlus,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { type ActionProps, actionsOf } from '../blocks/actions/actions.tsx';
import { HandoverDialog } from '../handover/handover-part.ts';
import type { ChosenSites } from '../site-deletions/delete-sites.tsx';
import { lazyPart } from '../with-texts.ts';

const adding = actionsOf<object>();

/** How a plant comes to be: installers add it, end users and administrators by its serial numbers. */
export const siteAdding = adding.table(
  'sites',
  { nameOf: () => '' },
  {
    add: adding.leads(add, () => ({ to: 'plant-add' }), { icon: IconPlus }),
    link: adding.leads(linkSn, () => ({ to: 'plant-link-sn' }), { icon: IconPlus }),
  },
);

const ShareSites = lazyPart('share-sites', async () => (await import('../site-shares/share-sites.tsx')).ShareSites);
const MigratePlants = lazyPart(
  'migrate-plants',
  async () => (await import('../migrations-of-accounts/migrate-plants.tsx')).MigratePlants,
);
const DeleteSites = lazyPart(
  'delete-sites',
  async () => (await import('../site-deletions/delete-sites.tsx')).DeleteSites,
);
const loadShare = async () => ShareSites;
const loadMigrate = async () => MigratePlants;
const loadDelete = async () => DeleteSites;

/** The dialog for chosen plants, for one. */
const forOne =
  <E,>(load: () => Promise<ComponentType<ActionProps<ChosenSites, E>>>) =>
  async (): Promise<ComponentType<ActionProps<SiteRow, E>>> => {
    const Dialog = await load();
    return ({ row, ...props }) => <Dialog {...props} row={{ stationIDs: [row.stationID], name: row.name }} />;
  };

const { leads, opens, table } = actionsOf<SiteRow>();

const options: Parameters<typeof table>[1] = {
  nameOf: ({ name }) => name,
  whyNot: ({ sharedBy }, t) =>
    sharedBy === '' ? t('sites.shared.notYours') : t('sites.shared.only', { name: sharedBy }),
};
const editing = {
  edit: leads(edit, ({ stationID }) => ({ to: 'plant-edit', query: { id: stationID } }), { icon: IconPencil }),
};
const handing = (when: (row: SiteRow) => boolean) =>
  opens(make, async () => HandoverDialog, { icon: IconQrcode, can: 'edit', when });
const isOwned = ({ owner }: SiteRow): boolean => owner !== '';
const sharing = { share: opens(share, forOne(loadShare), { icon: IconUserPlus }) };
const more = {
  ...sharing,
  handover: handing(() => true),
  migrate: opens(movePlants, forOne(loadMigrate), { icon: IconArrowsMove }),
  repair: leads(counters, ({ stationID }) => ({ to: 'plant-detail', query: { id: stationID, part: 'repair' } }), {
    icon: IconChartLine,
  }),
  delete: opens(remove, forOne(loadDelete), { icon: IconTrash, danger: true }),
};

/** What can be done with a plant. */
export const siteActions = table('sites', options, { ...editing, ...more });
/** Of that, what its own page has a button for, and what is done more rarely: who owns a plant is the first question until somebody does. */
export const siteEditing = table('sites', options, { ...editing, handover: handing((row) => !isOwned(row)) });
export const siteMore = table('sites', options, { ...more, handover: handing(isOwned) });
/** Sharing alone, beside those with whom a plant is shared. */
export const siteSharing = table('sites', options, sharing);

const chosen = actionsOf<ChosenSites>();

/** What can be done with several plants at once. */
export const chosenSiteActions = chosen.table(
  'sites',
  { nameOf: () => '' },
  {
    share: chosen.opens(share, loadShare, { icon: IconUserPlus }),
    migrate: chosen.opens(movePlants, loadMigrate, { icon: IconArrowsMove }),
    delete: chosen.opens(remove, loadDelete, { icon: IconTrash, danger: true }),
  },
);
