import { HostBundle } from '../host/boot/host-bundle.ts';

/**
 * Builds a bundle of the shipped appliance with the program of this tree, which many servers share.
 * Returns its folder.
 */
export async function buildServerBundle(inputs: {
  readonly folder: string;
  readonly registry: string;
  readonly plugin: string;
}): Promise<string> {
  await HostBundle.shipped(inputs);
  return inputs.folder;
}
