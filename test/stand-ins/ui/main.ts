import { join } from 'node:path';
import { serve } from '../serve.ts';
import { uiApp } from './app.ts';
import { readSettings } from './settings.ts';
import { acceptSockets } from './socket.ts';
import { readVariant, variantFile } from './variants.ts';

process.once('SIGTERM', () => process.exit(0));
const settings = readSettings(process.env);
const variant = readVariant(join(import.meta.dirname, variantFile));
if (variant.fault === 'does-not-start') throw new Error('No module named open_webui.missing');
// An exception here ends the program with status 1.
const app = uiApp(settings, variant);
if (variant.fault === 'hangs') setInterval(() => {}, 60_000);
else {
  const server = await serve(app, '0.0.0.0', settings.port);
  acceptSockets(server, settings.origins);
  console.log(`Uvicorn running on http://0.0.0.0:${settings.port}`);
}
