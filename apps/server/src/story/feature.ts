import { storyEndpoints } from '@sonnenwarte/contract/story/story';
import { featureOf } from '../feature.ts';
import { siteStoryOf } from './story.service.ts';

/** A day, week or month of a plant in its most telling facts. */
export const feature = featureOf(storyEndpoints, { story: siteStoryOf });
