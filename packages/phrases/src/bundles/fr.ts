export const files = import.meta.glob<unknown>(['../*/fr.json', '!../errors/*'], { eager: true, import: 'default' });
