declare module '@20minutes/s3rver' {
  /** An S3 server that keeps objects in a folder and verifies signatures. Its only keys are `S3RVER` and `S3RVER`. */
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      serviceEndpoint?: string;
      configureBuckets: { name: string; configs: string[] }[];
    });
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
