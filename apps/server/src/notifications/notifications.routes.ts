import { notificationEndpoints } from '@sonnenwarte/contract/notifications/notifications';
import { type Api, serve } from '../http/serve.ts';
import { ChannelService } from './channels.service.ts';
import type { DeliveryParts } from './delivery.ts';

export function bindNotifications(api: Api, parts: DeliveryParts): void {
  const channels = new ChannelService(parts);
  serve(api, notificationEndpoints.list, (_, context) => channels.list(context));
  serve(api, notificationEndpoints.addEmail, (input, context) => channels.addEmail(input, context));
  serve(api, notificationEndpoints.addWebhook, (input, context) => channels.addWebhook(input, context));
  serve(api, notificationEndpoints.addPush, (input, context) => channels.addPush(input, context));
  serve(api, notificationEndpoints.enable, (input, context) => channels.enable(input, context));
  serve(api, notificationEndpoints.test, (input, context) => channels.test(input, context));
  serve(api, notificationEndpoints.remove, (input, context) => channels.remove(input, context));
}
