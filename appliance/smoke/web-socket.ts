import { WebSocket } from 'undici';
import { connectTo } from './exchange.ts';

const patience = 20_000;

/** Opens a WebSocket and gives the first message as text. @throws Error when none comes */
export async function firstMessage(url: string, address: string): Promise<string> {
  const dispatcher = connectTo(address);
  const socket = new WebSocket(url, { dispatcher });
  try {
    return await new Promise<string>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('no message came')), patience);
      late.unref();
      socket.addEventListener('message', ({ data }) => resolve(String(data)));
      socket.addEventListener('error', () => reject(new Error('the upgrade was refused')));
      socket.addEventListener('close', () => reject(new Error('it closed without a message')));
    });
  } finally {
    socket.close();
    await dispatcher.destroy();
  }
}
