/** Browser and system of a user agent, as their makers write them; empty where it does not say. */
export interface DeviceNames {
  readonly browser: string;
  readonly system: string;
}

/** Those that claim to be others come first. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^(?:node|undici)\b/, 'Node.js'],
  [/^python-requests\/|\baiohttp\//i, 'Python'],
  [/^Dart\//, 'Dart'],
  [/^okhttp\//, 'OkHttp'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b|\biPod\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

const nameIn = (table: typeof browsers, text: string): string =>
  table.find(([pattern]) => pattern.test(text))?.[1] ?? '';

export const deviceNames = (userAgent: string): DeviceNames => ({
  browser: nameIn(browsers, userAgent),
  system: nameIn(systems, userAgent),
});

/** Both names in one, for a sentence. */
export const deviceText = (userAgent: string): string => {
  const { browser, system } = deviceNames(userAgent);
  return [browser, system].filter((name) => name !== '').join(', ');
};
