export const files = import.meta.glob<unknown>(['../*/pl.json', '!../errors/*'], { eager: true, import: 'default' });
