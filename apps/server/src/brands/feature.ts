import { brandEndpoints } from '@sonnenwarte/contract/brands/brands';
import { BrandBook } from '../branding/brand-book.ts';
import { brandedManifest, brandedPage } from '../branding/branded-page.ts';
import { featureOf } from '../feature.ts';
import type { Api } from '../http/serve.ts';
import { PictureMaker } from '../pictures/picture-maker.ts';
import type { Services } from '../services.ts';
import { addBrand, brandList, editBrand, removeBrand, showLogo, takeLogo } from './brands.service.ts';
import { forgetUnusedLogos } from './brands.store.ts';

/** Under which domain the portal looks how. */
export const feature = featureOf(
  brandEndpoints,
  {
    list: brandList,
    exportList: { find: brandList, own: { logo: ({ logo }) => logo } },
    uploadLogo: takeLogo,
    logo: showLogo,
    add: addBrand,
    edit: editBrand,
    remove: removeBrand,
  },
  start,
);

const FORGET_AT = '40 4 * * *';
/** A logo that no brand has after a day was given up, or is a former one. */
const UNUSED_FOR_MS = 86_400_000;

function start({ db, jobs, nowMs, bus, liveClock, logger }: Services, { fastify }: Api) {
  const book = new BrandBook(db);
  const unfollow = book.follow(bus, logger);
  const pictures = new PictureMaker(liveClock);
  fastify.looks.of = (host) => {
    const brand = book.at(host);
    return (
      brand && {
        page: (page, nonce) => brandedPage(page, brand, nonce),
        manifest: (manifest) => brandedManifest(manifest, brand),
      }
    );
  };
  // Before the first page is sent.
  fastify.addHook('onReady', () => book.read());
  fastify.addHook('preClose', async () => {
    unfollow();
    pictures.stop();
  });
  jobs.every('brands.forget-logos', FORGET_AT, async () => {
    await forgetUnusedLogos(db, new Date(nowMs() - UNUSED_FOR_MS));
  });
  return { book, pictures };
}
