/**
 * Suggestions below the input of a new chat, for a site in Chinese: those of Open WebUI are in English. It
 * shows the two parts of a title in two lines.
 */
export const chineseSuggestions = [
  {
    title: ['总结一段文字', '用三句话，并列出要点'],
    content: '请用三句话总结下面这段文字，并列出要点：',
  },
  {
    title: ['写一封邮件', '礼貌、简洁'],
    content: '请帮我写一封礼貌而简洁的邮件，内容如下：',
  },
  {
    title: ['解释一个概念', '举生活中的例子'],
    content: '请用通俗的语言解释下面这个概念，并举一个生活中的例子：',
  },
  {
    title: ['检查一段代码', '指出问题并改正'],
    content: '请检查下面这段代码，指出其中的问题，并给出修改后的版本：',
  },
] as const;
