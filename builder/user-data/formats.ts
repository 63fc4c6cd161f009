/** Formats of user-data. cloud-init reads all of them on every supported system. */
export const formats = ['cloud-config', 'multipart', 'gzip'] as const;
export type Format = (typeof formats)[number];
