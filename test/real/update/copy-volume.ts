import { copyVolume } from '../../../appliance/server/chats/volume-copy.ts';

// Copies a volume as an update does, in a process of its own. Prints what the test measures.
const [folder = '', id = ''] = process.argv.slice(2);
const began = performance.now();
const facts = await copyVolume(folder, id);
const seconds = (performance.now() - began) / 1000;
// Linux counts in KiB.
const peak = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ facts, seconds, peak }));
