import type { GroupRow } from '@sonnenwarte/contract/remote-settings/group-remote';
import { useTranslation } from 'react-i18next';
import { useSettingTexts } from './use-setting-text.ts';

type Named = Pick<GroupRow, 'name' | 'values' | 'revertsID'>;

/** What a group write is called: by its own name, or by what it writes. */
export function useGroupName(): (group: Named) => string {
  const { t } = useTranslation();
  const texts = useSettingTexts();
  return ({ name, values, revertsID }) => {
    if (name !== '') return name;
    if (revertsID !== null) return t('setting-screens.many.reverts');
    return values
      .map(({ rule, value }) =>
        t('setting-screens.many.to', { name: texts.label(rule), value: texts.value(rule, value) }),
      )
      .join(', ');
  };
}
