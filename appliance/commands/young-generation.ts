import { setFlagsFromString } from 'node:v8';

// Most objects of a first boot are short-lived. A small young generation limits peak memory. Imported
// first, because the other modules let it grow while they start.
setFlagsFromString('--semi-space-growth-factor=1');
