import { runFolder } from '../run-folder.ts';
import { announce } from '../summary/announce.ts';

// `npm run test:real [word…]`: the chat as people use it, with the real Open WebUI, Ollama and
// browser; OpenAI's clients with the relay; certbot; an update of Open WebUI and its rollback.
announce('prepare', 'the first run downloads 1.5 GB and takes 16 minutes; later runs take 8');
await runFolder('real');
