/** Cities that the library of place names calls in English, as their people call them. */
const byCountry: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AT: { Vienna: 'Wien' },
  BE: { Brussels: 'Bruxelles', Antwerp: 'Antwerpen' },
  BG: { Sofia: 'София' },
  CN: { Beijing: '北京', Shanghai: '上海', Guangzhou: '广州', Shenzhen: '深圳' },
  CZ: { Prague: 'Praha', Pilsen: 'Plzeň' },
  DE: { Munich: 'München' },
  DK: { Copenhagen: 'København' },
  GR: { Athens: 'Αθήνα' },
  IT: {
    Rome: 'Roma',
    Milan: 'Milano',
    Naples: 'Napoli',
    Turin: 'Torino',
    Florence: 'Firenze',
    Venice: 'Venezia',
    Genoa: 'Genova',
  },
  KR: { Seoul: '서울', Busan: '부산', Incheon: '인천', Daegu: '대구', Daejeon: '대전', Gwangju: '광주' },
  NL: { 'The Hague': 'Den Haag' },
  PL: { Warsaw: 'Warszawa' },
  PT: { Lisbon: 'Lisboa' },
  RO: { Bucharest: 'București' },
  RS: { Belgrade: 'Beograd' },
};

/** `country:name of the library` to the local name. */
export const localNames: ReadonlyMap<string, string> = new Map(
  Object.entries(byCountry).flatMap(([country, names]) =>
    Object.entries(names).map(([library, local]) => [`${country}:${library}`, local] as const),
  ),
);
