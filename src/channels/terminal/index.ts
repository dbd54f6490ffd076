export type { LineRequest, QuestionScreen, Reply, Style } from './question-screen.ts';
export type { ScreenSize, TerminalInput, TerminalOutput } from './streams.ts';
export { TerminalApprover, type TerminalApproverOptions } from './terminal-approver.ts';
export { TerminalChannel, type TerminalChannelOptions } from './terminal-channel.ts';
export { type ReadLineOptions, TerminalSession, type TerminalStreams } from './terminal-session.ts';
