/** Environment variable: folder for the disks of servers, which is removed even after a kill. */
export const folderVariable = 'LANDFALL_TEST_VM_FOLDER';

/** Folder for disks of servers; undefined if the tests were started in another way. */
export function diskFolder(): string | undefined {
  return process.env[folderVariable];
}
