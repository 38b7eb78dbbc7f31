import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import * as z from 'zod';

/**
 * The rules by which Home Assistant takes an announcement of a device (its documentation "MQTT: device discovery payload", "MQTT sensor",
 * "MQTT binary sensor" and "Sensor: device class, state class"), so far as sensors go. What it would warn of or drop is refused.
 */
const unitsOfClass: Record<string, (string | undefined)[]> = {
  apparent_power: ['VA', 'kVA'],
  battery: ['%'],
  current: ['A', 'mA'],
  data_size: ['B', 'kB', 'MB'],
  duration: ['d', 'h', 'min', 's', 'ms'],
  energy: ['Wh', 'kWh', 'MWh'],
  energy_storage: ['Wh', 'kWh', 'MWh'],
  enum: [undefined],
  frequency: ['Hz', 'kHz'],
  irradiance: ['W/m²', 'BTU/(h⋅ft²)'],
  power: ['W', 'kW', 'MW'],
  power_factor: ['%', undefined],
  reactive_power: ['var', 'kvar'],
  signal_strength: ['dB', 'dBm'],
  temperature: ['°C', '°F', 'K'],
  voltage: ['V', 'mV', 'kV'],
  wind_speed: ['m/s', 'km/h'],
};
const stateClassesOfClass: Record<string, (string | undefined)[]> = {
  energy: ['total', 'total_increasing'],
  data_size: ['measurement', 'total', 'total_increasing'],
  duration: ['measurement', 'total', 'total_increasing'],
  enum: [undefined],
};

const text = z.string().min(1);
const topic = text.regex(/^[^+#\0]+$/);
const common = {
  unique_id: text,
  name: text,
  state_topic: topic,
  availability_topic: topic.optional(),
  entity_category: z.literal('diagnostic').optional(),
  enabled_by_default: z.boolean().optional(),
};
const sensor = z
  .strictObject({
    platform: z.literal('sensor'),
    ...common,
    device_class: z.string().optional(),
    state_class: z.enum(['measurement', 'total', 'total_increasing']).optional(),
    unit_of_measurement: text.optional(),
    suggested_display_precision: z.int().min(0).optional(),
    options: z.array(text).min(1).optional(),
  })
  .superRefine((entity, context) => {
    const refuse = (message: string) =>
      context.addIssue({ code: 'custom', message: `${entity.unique_id}: ${message}` });
    const { device_class: of, state_class: state, unit_of_measurement: unit, options } = entity;
    if (of !== undefined && unitsOfClass[of] === undefined) return refuse(`no device class ${of}`);
    if (of !== undefined && !unitsOfClass[of]?.includes(unit)) refuse(`${unit} is no unit of ${of}`);
    if (of !== undefined && !(stateClassesOfClass[of] ?? ['measurement']).includes(state))
      refuse(`${of} is no ${state}`);
    if ((of === 'enum') !== (options !== undefined)) refuse('options belong to the device class enum and to it alone');
    if (options !== undefined && new Set(options).size !== options.length) refuse('options repeat');
    if (unit !== undefined && /^(W|kW)$/.test(unit) && state !== 'measurement') refuse('a power is no counter');
  });
const binarySensor = z.strictObject({
  platform: z.literal('binary_sensor'),
  ...common,
  device_class: z.enum(['connectivity', 'problem']).optional(),
});

export const discoveryRules = z.strictObject({
  device: z.strictObject({
    identifiers: z.array(text).min(1),
    name: text,
    serial_number: text.optional(),
    model: text.optional(),
    sw_version: text.optional(),
    via_device: text.optional(),
    suggested_area: text.optional(),
    configuration_url: z.url({ protocol: /^https?$/ }).optional(),
  }),
  origin: z.strictObject({ name: text, sw_version: text.optional(), support_url: z.url().optional() }),
  availability_topic: topic.optional(),
  components: z.record(text, z.discriminatedUnion('platform', [sensor, binarySensor])),
});
export type Announced = z.infer<typeof discoveryRules>;

const LEGAL_TOPIC = /^homeassistant\/\w+\/(?:[a-zA-Z0-9_-]+\/)?[a-zA-Z0-9_-]+\/config$/;
/** What it asks for when it starts: each component that it knows, with and without a node id. */
const COMPONENTS = ['binary_sensor', 'device', 'device_automation', 'number', 'sensor', 'switch', 'update'];

/** A Home Assistant as the broker sees it: asks for announcements, greets, and follows the topics that the announced entities name. */
export class TestHomeAssistant {
  readonly client: MqttClient;
  /** By the serial number in the topic. */
  readonly devices = new Map<string, Announced>();
  readonly states = new Map<string, string>();
  /** All that came, in its order. */
  readonly log: { topic: string; payload: string; retain: boolean }[] = [];

  private constructor(client: MqttClient) {
    this.client = client;
    client.on('error', () => undefined);
    client.on('message', (at, payload, { retain }) => this.#take(at, payload.toString(), retain));
  }

  static async connect(port: number, options: IClientOptions): Promise<TestHomeAssistant> {
    const client = await mqtt.connectAsync(
      `mqtt://127.0.0.1:${port}`,
      {
        protocolVersion: 4,
        reconnectPeriod: 0,
        will: { topic: 'homeassistant/status', payload: Buffer.from('offline'), qos: 0, retain: false },
        ...options,
      },
      false,
    );
    return new TestHomeAssistant(client);
  }

  async start(): Promise<void> {
    await this.client.subscribeAsync(
      COMPONENTS.flatMap((each) => [`homeassistant/${each}/+/config`, `homeassistant/${each}/+/+/config`]),
    );
    await this.greet();
  }

  greet(): Promise<unknown> {
    return this.client.publishAsync('homeassistant/status', 'online', { qos: 0, retain: false });
  }

  /** State of an entity, as it would be shown. */
  stateOf(sn: string, variable: string): string | undefined {
    const device = this.devices.get(sn);
    const entity = device?.components[variable];
    if (device === undefined || entity === undefined) return undefined;
    const available = entity.availability_topic ?? device.availability_topic;
    if (available !== undefined && this.states.get(available) !== 'online') return 'unavailable';
    return this.states.get(entity.state_topic) ?? 'unknown';
  }

  #take(at: string, payload: string, retain: boolean): void {
    this.log.push({ topic: at, payload, retain });
    if (!at.startsWith('homeassistant/')) {
      this.states.set(at, payload);
      return;
    }
    const sn = at.split('/')[2] ?? '';
    if (!LEGAL_TOPIC.test(at)) throw new Error(`illegal discovery topic ${at}`);
    if (payload === '') {
      this.devices.delete(sn);
      return;
    }
    const device = discoveryRules.parse(JSON.parse(payload));
    this.devices.set(sn, device);
    const topics = Object.values(device.components).flatMap((entity) => [
      entity.state_topic,
      entity.availability_topic ?? device.availability_topic ?? [],
    ]);
    this.client.subscribe([...new Set(topics.flat())], () => undefined);
  }
}
