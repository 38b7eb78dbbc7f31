import type { TextGroup } from '@sonnenwarte/phrases/lazy';
import { createElement, use } from 'react';
import type { Screen } from '../lazy-screen.ts';
import { fetchTexts, hasTexts } from './i18n.ts';

/** A screen that is shown once the texts of its group are there. */
export const withTexts = (group: TextGroup, Shown: Screen): Screen =>
  Object.assign(
    function ScreenWithTexts() {
      if (!hasTexts(group)) use(fetchTexts(group));
      return createElement(Shown);
    },
    { preload: () => Promise.all([fetchTexts(group), Shown.preload?.()]) },
  );
