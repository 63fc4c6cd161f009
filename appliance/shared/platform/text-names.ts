/**
 * Text files that page code needs, as paths below `appliance/`. Node reads them from disk; the
 * bundler of a page includes them in the page.
 */
export const textNames = [
  'bootstrap/bootstrap',
  'bootstrap/fetch.py',
  'bootstrap/landfall-boot.service',
  'bootstrap/socks5.py',
  'bootstrap/unpack.py',
] as const;

export type TextName = (typeof textNames)[number];
