export const files = import.meta.glob<unknown>(['../*/zh_CN.json', '!../errors/*'], { eager: true, import: 'default' });
