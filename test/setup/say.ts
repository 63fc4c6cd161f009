/** Reports a step of the preparation to the user: a topic and one or more lines. */
export type Say = (topic: string, text: string) => void;

/** Prints the topic in the first column, further lines below it. */
export const sayOnScreen: Say = (topic, text) => {
  const [first = '', ...more] = text.split('\n');
  console.log(`  ${topic.padEnd(column)}${first}`);
  for (const line of more) console.log(`  ${' '.repeat(column)}${line}`);
};

const column = 17;
