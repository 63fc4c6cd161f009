/**
 * Text files that code for pages needs, as paths below `appliance/`. Node reads them from the disk; the
 * bundler of a page puts them into the page.
 */
export const textNames = [
  'bootstrap/bootstrap',
  'bootstrap/fetch.py',
  'bootstrap/landfall-boot.service',
  'bootstrap/socks5.py',
  'bootstrap/unpack.py',
] as const;

export type TextName = (typeof textNames)[number];
