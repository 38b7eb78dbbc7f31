import type { TextGroup } from '@sonnenwarte/phrases/lazy';
import { type ComponentType, createElement, use } from 'react';
import { fetchTexts, hasTexts } from './i18n.ts';

/** A screen that is shown once the texts of its group are there. */
export const withTexts = (group: TextGroup, Screen: ComponentType): ComponentType =>
  function ScreenWithTexts() {
    if (!hasTexts(group)) use(fetchTexts(group));
    return createElement(Screen);
  };
