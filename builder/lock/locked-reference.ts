import { type LockedImage, unresolved } from './lock.ts';

const localTransport = /^(?:oci|oci-archive|docker-archive|docker-daemon):/;

/**
 * What to ask a source for, so that it can answer with the locked image only: a registry is asked
 * by digest; files and engines know no digests and are compared afterwards.
 */
export function lockedReference({ image, index }: LockedImage): string {
  if (localTransport.test(image) || index === unresolved) return image;
  const bare = image.replace(/@sha256:[0-9a-f]{64}$/, '');
  return `${bare}@${index}`;
}
