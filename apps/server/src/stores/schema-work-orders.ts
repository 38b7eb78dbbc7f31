import type { OrderCategory } from '@sonnenwarte/contract/work-orders/due-times';
import type { OrderState } from '@sonnenwarte/contract/work-orders/order-states';
import type { HeldValue, OrderEntryKind, OrderProduct, orderSides } from '@sonnenwarte/contract/work-orders/work-order';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface WorkOrderTables {
  work_orders: {
    id: Generated<string>;
    sequence: GeneratedAlways<string>;
    number: GeneratedAlways<string>;
    title: string;
    category: OrderCategory;
    product: OrderProduct;
    urgent: Generated<boolean>;
    state: Generated<OrderState>;
    organisation_id: string;
    holder_id: string;
    assignee_id: string | null;
    asked_by: string | null;
    /** Organisation of whoever asked, null of an end user; a trigger writes it, and that another has had the order. */
    asked_from: GeneratedAlways<string | null>;
    left_asker: GeneratedAlways<boolean>;
    contact: Generated<string>;
    site_id: string | null;
    device_id: string | null;
    incident_id: string | null;
    alarm_code: number | null;
    asked_at: Date;
    updated_at: Date;
    touched_at: Date;
    answer_due_at: Date;
    solution_due_at: Date;
    answered_at: Date | null;
    waiting: Generated<boolean>;
    still_since: Date | null;
    /** bigint arrives as a text. */
    still_ms: ColumnType<string, number | undefined, number>;
    solved_at: Date | null;
    closed_at: Date | null;
    stars: number | null;
    due_at: GeneratedAlways<Date | null>;
  };
  work_order_entries: {
    id: Generated<string>;
    sequence: GeneratedAlways<string>;
    order_id: string;
    at: Date;
    kind: OrderEntryKind;
    internal: Generated<boolean>;
    account_id: string | null;
    actor: Generated<string>;
    actor_organisation: Generated<string>;
    side: Generated<(typeof orderSides)[number]>;
    text: Generated<string>;
    given_to: Generated<string>;
    state: ColumnType<OrderState | null, OrderState | null | undefined, never>;
    stars: ColumnType<number | null, number | null | undefined, never>;
    held_values: ColumnType<HeldValue[], string | undefined, never>;
  };
  work_order_pictures: {
    id: Generated<string>;
    sequence: GeneratedAlways<string>;
    order_id: string | null;
    entry_id: string | null;
    account_id: string | null;
    sent_at: Date;
    width: number;
    height: number;
    content: Buffer;
    thumb: Buffer;
  };
  answer_templates: { id: Generated<string>; organisation_id: string; name: string; text: string };
}
