<!DOCTYPE qgis PUBLIC "http://mrcc.com/qgis.dtd" "SYSTEM">
<qgis version="3.22" styleCategories="Symbology">
 <renderer-v2 type="singleSymbol"><symbols><symbol type="marker" name="0" alpha="1"><layer class="SimpleMarker" enabled="1" pass="0" locked="0"><prop k="name" v="circle"/><prop k="color" v="190,40,50,255"/><prop k="outline_color" v="255,255,255,255"/><prop k="size" v="3.4"/></layer></symbol></symbols></renderer-v2>
</qgis>
