import type { ListEndpoint, Result, RowOf } from '@sonnenwarte/contract/endpoint';
import type { paged } from '@sonnenwarte/contract/lists';
import type { Asked, Found } from '../stores/lists.ts';
import { type Api, type ContextOf, serve } from './serve.ts';

/** What a list answers beside its page of rows. */
type Besides<L extends ListEndpoint> = Omit<Result<L>, keyof typeof paged | L['list']['rows']>;

/** Finds rows of a list, for a page as for a file. */
export type FindRows<L extends ListEndpoint, Row extends RowOf<L> = RowOf<L>> = (
  input: Asked<L>,
  context: ContextOf<L>,
) => Promise<Found<Row> & Besides<L>>;

/** Binds a list. */
export function serveList<const L extends ListEndpoint>(api: Api, list: L, find: FindRows<NoInfer<L>>): void {
  serve(api, list, async (input, context) => {
    const { pageSize, currentPage } = input as { pageSize: number; currentPage: number };
    const { rows, total, end: _, ...besides } = await find(input as unknown as Asked<L>, context);
    return { pageSize, currentPage, total, [list.list.rows]: rows, ...besides } as unknown as Result<L>;
  });
}
