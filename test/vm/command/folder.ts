/** Folder in the environment for the disks of servers, which goes even when the run is killed. */
export const folderVariable = 'LANDFALL_TEST_VM_FOLDER';

/** Where disks of servers may lie; undefined where the tests were started in another way. */
export function diskFolder(): string | undefined {
  return process.env[folderVariable];
}
