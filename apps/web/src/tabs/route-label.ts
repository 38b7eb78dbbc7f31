import type { RouteName } from '@sonnenwarte/contract/routes';
import type { Catalogue } from '@sonnenwarte/phrases/catalogue';
import { useTranslation } from 'react-i18next';

type LabelledRoute = keyof Catalogue['routes'];

/** Name of a screen or menu in the interface language. Routes with a screen all have one, which a test holds. */
export function useRouteLabel(): (name: RouteName) => string {
  const { t } = useTranslation();
  return (name) => t(`routes.${name as LabelledRoute}`);
}
