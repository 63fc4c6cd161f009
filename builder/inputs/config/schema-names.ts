/** The files that users write. */
export const schemaNames = ['appliance', 'site'] as const;
export type SchemaName = (typeof schemaNames)[number];
