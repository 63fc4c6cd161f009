import { diskSettingsFile } from '#contract/server-paths.ts';

/** The file of a server that never warns about low disk space: the disk of this machine may be nearly full. */
export const withSpace = { [diskSettingsFile]: '{"share": 0, "bytes": 0}' };

/** The file of a server whose disk always counts as low on space. */
export const withoutSpace = { [diskSettingsFile]: '{"share": 1, "bytes": 1e18}' };
