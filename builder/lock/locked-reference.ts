import { type LockedImage, unresolved } from './lock.ts';

const localTransport = /^(?:oci|oci-archive|docker-archive|docker-daemon):/;

/**
 * Returns the reference of a locked image for its source. A registry reference includes the digest.
 * Files and Docker cannot be queried by digest; their images are compared with the lock afterwards.
 */
export function lockedReference({ image, index }: LockedImage): string {
  if (localTransport.test(image) || index === unresolved) return image;
  const bare = image.replace(/@sha256:[0-9a-f]{64}$/, '');
  return `${bare}@${index}`;
}
