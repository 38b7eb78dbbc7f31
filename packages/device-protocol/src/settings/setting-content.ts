/** A row of a setting that is a table: its columns by name. */
export type SettingTableRow = Readonly<Record<string, number>>;

/** The value of a setting: a number, a choice or text, a switch, or the rows of a table. */
export type SettingContent = number | boolean | string | readonly SettingTableRow[];
