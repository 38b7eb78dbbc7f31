import { lazy, type ReactNode, Suspense } from 'react';
import { DetailSkeleton } from '../blocks/show/loading.tsx';
import { useRecordID } from '../tabs/tab-context.ts';

const List = {
  battery: lazy(async () => ({ default: (await import('./device-list-screen.tsx')).BatteryListScreen })),
  gateway: lazy(async () => ({ default: (await import('./device-list-screen.tsx')).GatewayListScreen })),
};
const Detail = lazy(async () => ({ default: (await import('./device-screen.tsx')).DeviceScreen }));

/** Kinds whose details have no route of their own show them where their list is, once the address names one. */
function ListOrDetail({ kind }: { kind: keyof typeof List }): ReactNode {
  const Shown = useRecordID('deviceID') === undefined ? List[kind] : Detail;
  return (
    <Suspense fallback={<DetailSkeleton />}>
      <Shown />
    </Suspense>
  );
}

export const BatteryScreen = (): ReactNode => <ListOrDetail kind="battery" />;
export const GatewayScreen = (): ReactNode => <ListOrDetail kind="gateway" />;
