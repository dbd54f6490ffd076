export {
  capabilitiesFor,
  DEFAULT_CAPABILITIES,
  type StrandsAguiCapabilities,
  type StrandsAguiCapabilitiesOverrides,
} from './capabilities.ts';
export {
  addCapabilities,
  addPing,
  type CapabilitiesOptions,
  type CreateStrandsAppOptions,
  createStrandsApp,
} from './express/app.ts';
export type { CorsOptions } from './express/cors.ts';
export {
  type AddStrandsEndpointOptions,
  addStrandsExpressEndpoint,
  type RouteAuthOptions,
} from './express/endpoint.ts';
export type { StrandsAuthMiddleware, StrandsAuthRequest } from './express/guard.ts';
export type { TransportOptions } from './options.ts';
export type { Authenticate, AuthRequest, MayDecide } from './principal.ts';
export type { ServedAgent } from './served-agent.ts';
export { createHandler, type HandlerOptions, type WebHandler } from './web-handler.ts';
