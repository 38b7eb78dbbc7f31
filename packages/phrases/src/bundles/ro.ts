export const files = import.meta.glob<unknown>(['../*/ro.json', '!../errors/*'], { eager: true, import: 'default' });
