import { serve } from '../serve.ts';
import { uiApp } from './app.ts';
import { readSettings } from './settings.ts';
import { acceptSockets } from './socket.ts';

const settings = readSettings(process.env);
const server = await serve(uiApp(settings), '0.0.0.0', settings.port);
acceptSockets(server, settings.origins);
console.log(`Uvicorn running on http://0.0.0.0:${settings.port}`);
process.once('SIGTERM', () => process.exit(0));
