import { info, type UserInfo } from '@sonnenwarte/contract/accounts/own-account';
import { LEVEL } from '@sonnenwarte/contract/levels';
import { ownPermissions } from '@sonnenwarte/contract/permissions/permissions';
import { routes } from '@sonnenwarte/contract/routes';
import { list } from '@sonnenwarte/contract/sites/sites';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { read } from '../client/queries.ts';
import { setUnits } from '../format/units.ts';
import { menuFor, menuWithoutPlants } from '../menu/menu.ts';
import { settle } from '../router/place.ts';
import { hasScreen } from '../screens.ts';
import { globalState, useGlobalState } from '../state/global-state.ts';
import { keepAccess, keepPermissions } from '../state/session.ts';
import { isView } from '../state/view-storage.ts';
import { closeTabsBeyond } from '../tabs/workspace.ts';
import { setColourScheme } from '../theme/colour-scheme.ts';

/**
 * Who is signed in, as the server says it: level, codes and open routes replace what this browser had stored, and what is
 * not open any more is left. The menu waits for them, so that no entry comes and goes.
 */
export function useSession(): UserInfo | undefined {
  const { data: account } = useQuery(read(info, {}, { inPlace: false }));
  const { data: granted, isError } = useQuery(read(ownPermissions, {}));
  const access = useGlobalState((state) => state.access);
  const menuCode = useGlobalState((state) => state.menuCode);
  const known = menuCode !== undefined || isError;

  const isWithoutPlants = useWithoutPlants() && access === LEVEL.endUser;

  useEffect(() => {
    if (!account) return;
    if (!isView()) setColourScheme(account.theme);
    setUnits(account.units);
    keepAccess(account.access);
    settle();
  }, [account]);

  useEffect(() => {
    if (!granted) return;
    keepPermissions(granted);
    closeTabsBeyond(granted.menu);
    settle();
  }, [granted]);

  useEffect(() => {
    if (!known) return;
    const navigation = menuFor(routes, access, hasScreen, menuCode);
    globalState.set({ navigation: isWithoutPlants ? menuWithoutPlants(navigation) : navigation });
  }, [known, access, menuCode, isWithoutPlants]);

  return account;
}

/** Whether the home has found no plants; nobody else asks for it. */
function useWithoutPlants(): boolean {
  const { data } = useQuery({ ...read(list, { pageSize: 50 }), enabled: false });
  return data?.plants.length === 0;
}
